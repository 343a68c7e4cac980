from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ReviewConfig(AppConfig):
    name = "review"
    verbose_name = _("Review")

    def ready(self) -> None:
        # The last of our apps whose tables and permissions are made; every one of them is there then.
        post_migrate.connect(
            _make_groups, sender=apps.get_app_config("accounts"), dispatch_uid="review.groups"
        )


def _make_groups(**more: object) -> None:
    from review.services.groups import make_groups

    make_groups()
