import pytest
from django.http import HttpResponse

from tarneeb_site.headers import HeadersMiddleware, policy

SELF_ALONE = (
    "default-src 'self'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; connect-src 'self'"
)


def test_policy_lets_a_page_load_from_its_own_host_alone():
    assert policy("a.example") == f"{SELF_ALONE} ws://a.example wss://a.example"


def test_policy_names_no_host_that_is_not_ours(rf):
    response = HeadersMiddleware(lambda _: HttpResponse())(rf.get("/", headers={"host": "evil.example"}))
    assert response["Content-Security-Policy"] == SELF_ALONE


@pytest.mark.django_db
def test_every_page_carries_the_policy(client):
    response = client.get("/accounts/login/")
    assert response["Content-Security-Policy"] == f"{SELF_ALONE} ws://testserver wss://testserver"
    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
