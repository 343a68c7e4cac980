"""The pages of reviewers."""

urlpatterns: list[object] = []
