from django.apps import AppConfig


class SiteConfig(AppConfig):
    name = "tarneeb_site"
