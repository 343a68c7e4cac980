"""Every setting of the site. Values come from the environment; `docs/operating.md` lists them."""

import os
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from tarneeb_site.brokers import broker
from tarneeb_site.environment import (
    database,
    flag,
    history_database,
    hosts,
    listed,
    number,
    secret_key,
    service_url,
    site_url,
)
from tarneeb_site.social import social

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(os.environ.get("TARNEEB_VAR", BASE_DIR / "var"))

DEBUG = flag("DEBUG", default=True)
SECRET_KEY = secret_key(VAR_DIR, debug=DEBUG)
# Earlier keys: what was signed or sealed with them still holds.
SECRET_KEY_FALLBACKS = listed("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = hosts(debug=DEBUG)
CSRF_TRUSTED_ORIGINS = listed("CSRF_TRUSTED_ORIGINS")

# Signing in by an account elsewhere: none unless named.
SOCIAL = social(listed("SOCIAL_LOGIN"))

INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "django.forms",
    "channels",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    *SOCIAL.apps,
    "tarneeb_site",
    "review",
    "tournaments",
    "games",
    "accounts",
]
MIDDLEWARE = [
    "tarneeb_site.health.health_first",
    "tarneeb_site.metrics.metrics_first",
    "tarneeb_site.headers.HeadersMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.middleware.SeenMiddleware",
    "tarneeb_site.doorway.FormLimits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tournaments.unreadable.UnreadableMiddleware",
]
ROOT_URLCONF = "tarneeb_site.urls"
ASGI_APPLICATION = "tarneeb_site.asgi.application"
# Of one process; each page being made holds a connection to the database.
PAGES_AT_ONCE = max(1, int(number("PAGES_AT_ONCE", default=20)))
DEFAULT_EXCEPTION_REPORTER_FILTER = "tarneeb_site.reports.CardsHidden"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# How many proxies stand before the site and add to X-Forwarded-For. And whether limits hold on this machine too.
TRUSTED_PROXIES = int(number("TRUSTED_PROXIES", default=1 if flag("HTTPS", default=False) else 0))
LIMITS_ON_LOOPBACK = flag("LIMITS_ON_LOOPBACK", default=True)
# The counts of the limits on signing in: each process its own. Full, it would forget at random.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    # Larger entries, so fewer of them.
    "statistics": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "statistics",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}

# Truth is in PostgreSQL; Valkey holds nothing that cannot be lost.
DATABASE_URL = service_url("DATABASE_URL", VAR_DIR)
DATABASES = {"default": database(DATABASE_URL)}
# Where one is named, histories are read from a standby that is not further behind than so.
HISTORY_DATABASE_URL = os.environ.get("HISTORY_DATABASE_URL", "")
HISTORY_LAG_SECONDS = number("HISTORY_LAG_SECONDS", default=5)
if HISTORY_DATABASE_URL:
    DATABASES["history"] = history_database(HISTORY_DATABASE_URL)
DATABASE_ROUTERS = ["games.replica.HistoryRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = service_url("REDIS_URL", VAR_DIR)
SENTINEL_PASSWORD = os.environ.get("SENTINEL_PASSWORD", "")
BROKER = broker(REDIS_URL, SENTINEL_PASSWORD)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {
            "hosts": [BROKER.for_channels()],
            "prefix": os.environ.get("CHANNEL_PREFIX", "tarneeb"),
        },
    },
}

CELERY_BROKER_URL, BROKER_OPTIONS = BROKER.for_celery()
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# Whoever waits for the next table does not wait for the histories and ratings of a hall. 0 goes first, 9 last.
CELERY_TASK_ROUTES = {"games.tasks.*": {"priority": 6}, "accounts.tasks.*": {"priority": 3}}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A broker that is away or stuck holds up nobody who has a task to send: what is lost, a sweep finds.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 300,
    "socket_connect_timeout": 5,
    "socket_timeout": 5,
    "max_retries": 1,
    **BROKER_OPTIONS,
}
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "celerybeat-schedule")
# A message that waited longer than until the next one is of no use: a worker that comes back starts afresh.
CELERY_BEAT_SCHEDULE = {
    "sign-of-life": {
        "task": "tarneeb_site.tasks.sign_of_life",
        "schedule": 5.0,
        "options": {"expires": 10},
    },
    "sweep": {"task": "tournaments.tasks.sweep", "schedule": 5.0, "options": {"expires": 10}},
    "letters": {"task": "accounts.tasks.send_letters", "schedule": 15.0, "options": {"expires": 30}},
    "pushes": {"task": "accounts.tasks.send_pushes", "schedule": 5.0, "options": {"expires": 10}},
    "data": {"task": "accounts.tasks.make_data", "schedule": 10.0, "options": {"expires": 20}},
    "forget-data": {"task": "accounts.tasks.forget_data", "schedule": 86400.0, "options": {"expires": 86400}},
    "tell-followers": {"task": "games.tasks.tell_followers", "schedule": 15.0, "options": {"expires": 30}},
    "free-names": {"task": "accounts.tasks.free_names", "schedule": 86400.0, "options": {"expires": 86400}},
    "forget-notices": {
        "task": "accounts.tasks.forget_notices",
        "schedule": 86400.0,
        "options": {"expires": 86400},
    },
    "gather-cases": {"task": "review.tasks.gather", "schedule": 10.0, "options": {"expires": 20}},
    "forget-connections": {
        "task": "games.tasks.forget_connections",
        "schedule": 86400.0,
        "options": {"expires": 86400},
    },
    "forget-guests": {
        "task": "games.tasks.forget_guests",
        "schedule": 900.0,
        "options": {"expires": 900},
    },
    "ratings": {"task": "games.tasks.rate", "schedule": 5.0, "options": {"expires": 10}},
    "histories": {
        "task": "games.tasks.sweep_histories",
        "schedule": 30.0,
        "options": {"expires": 60},
    },
    "all-histories": {
        "task": "games.tasks.complete_histories",
        "schedule": 86400.0,
        "options": {"expires": 86400},
    },
}

# The tasks told, by name, that a match has ended: `games` knows nobody above it.
# The tasks that are told of ended matches. The first end goes at once, those of so many seconds after it together.
MATCH_END_TASKS = {
    "tournaments.tasks.adjudicate": 0.02,
    "games.tasks.keep_history": 1.0,
    "games.tasks.rate": 1.0,
}

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["accounts.backends.NameOrEmail"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "accounts.passwords.LengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
# A letter asks to confirm the address; nobody has to, to play.
ACCOUNT_EMAIL_VERIFICATION = "optional"
# A new address takes the place of the old one once it is confirmed.
ACCOUNT_CHANGE_EMAIL = True
# What concerns the safety of an account is told by e-mail.
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "account_settings"
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_FORMS = {
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.safety_forms.PasswordForm",
    "request_reauthentication_code": "accounts.safety_forms.CodeRequestForm",
    "confirm_reauthentication_code": "accounts.safety_forms.LetterCodeForm",
    "signup": "accounts.forms.SignupForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
}
# A whole café comes from one address; one name may still be tried five times only.
ACCOUNT_RATE_LIMITS = {
    "login": "300/m/ip",
    "login_failed": "60/m/ip,5/5m/key",
    "signup": "120/m/ip",
    "reset_password": "60/m/ip,5/m/key",
    "reset_password_from_key": "60/m/ip",
    "change_password": "10/m/user",
    "reauthenticate": "10/m/user",
    "request_login_code": "60/m/ip,3/m/key",
}
MFA_ADAPTER = "accounts.safety.SafetyAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
# Nobody must have an e-mail address; who has lost all has the recovery codes.
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_ISSUER = "Tarneeb"
MFA_TOTP_TOLERANCE = 1
MFA_RATE_LIMITS = {"webauthn_login": "120/m/ip"}
MFA_FORMS = {
    "authenticate": "accounts.safety_forms.CodeForm",
    "reauthenticate": "accounts.safety_forms.CodeAgainForm",
    "login_webauthn": "accounts.safety_forms.PasskeyLoginForm",
    "authenticate_webauthn": "accounts.safety_forms.PasskeyAskForm",
    "reauthenticate_webauthn": "accounts.safety_forms.PasskeyAgainForm",
    "activate_totp": "accounts.safety_forms.TotpForm",
    "add_webauthn": "accounts.safety_forms.PasskeyForm",
    "edit_webauthn": "accounts.safety_forms.PasskeyNameForm",
}
USERSESSIONS_TRACK_ACTIVITY = True
SOCIALACCOUNT_PROVIDERS = SOCIAL.providers
SOCIALACCOUNT_ADAPTER = "accounts.safety.SocialAdapter"
SOCIALACCOUNT_FORMS = {"signup": "accounts.forms.SocialSignupForm"}
# Everybody chooses a name, and sees what is taken over.
SOCIALACCOUNT_AUTO_SIGNUP = False
SOCIALACCOUNT_EMAIL_REQUIRED = True
# Where forms of our pages may lead to, beside our own pages.
FORM_TARGETS = SOCIAL.sites

# Between two changes of a name; and how long nobody else may take a name that was given up.
NAME_CHANGE_DAYS = number("NAME_CHANGE_DAYS", default=30)
OLD_NAME_DAYS = number("OLD_NAME_DAYS", default=180)
# Modules that say what keeps an account from being closed, and leave what it is in; and functions that name
# what else is stored of a user.
ACCOUNT_CLOSERS = ["games.services.departing", "tournaments.services.departing"]
ACCOUNT_DATA = ["games.services.own_data.data_of", "tournaments.services.own_data.data_of"]

# Telling browsers that are closed: without a key nothing of it is offered.
VAPID_PRIVATE_KEY = os.environ.get("VAPID_PRIVATE_KEY", "")
VAPID_CONTACT = os.environ.get("VAPID_CONTACT", "")
# Of all the addresses that a browser may name, only those of known services are written to.
PUSH_HOSTS = listed(
    "PUSH_HOSTS",
    default="fcm.googleapis.com,.push.services.mozilla.com,.push.apple.com,.notify.windows.com",
)
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Without a mail server the letters appear in the terminal.
EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = int(number("EMAIL_PORT", default=587))
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = flag("EMAIL_USE_TLS", default=True)
EMAIL_TIMEOUT = 10
# Where links in letters lead.
SITE_URL = os.environ.get("SITE_URL") or site_url(ALLOWED_HOSTS, https=flag("HTTPS", default=False))
# How pages of players learn that a notice came: called with them, inside an open transaction.
NOTICE_BELL = "games.services.seating.ring_players"
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", "Tarneeb <no-reply@localhost>")

LANGUAGE_CODE = "ar"
LANGUAGES = [("ar", _("Arabic")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = ["tarneeb_site.formats"]

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = VAR_DIR / "static"
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = DEBUG
# Pictures of players.
MEDIA_URL = "accounts/"
MEDIA_ROOT = Path(os.environ.get("MEDIA_ROOT") or VAR_DIR / "media")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "tarneeb_site.storage.HashedStorage"
    },
}

SESSION_ENGINE = "tarneeb_site.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"
# Whether subdomains, or browsers' lists, are bound too is for the owner of the domain to say.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if flag("HTTPS", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 30 * 86400

# Figures for Prometheus: from this machine, and for who knows this.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "tarneeb_site.logs.Plain"},
        "json": {"()": "tarneeb_site.logs.Json"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "json" if flag("LOG_JSON", default=False) else "plain",
        },
    },
    "root": {"handlers": ["stderr"], "level": os.environ.get("LOG_LEVEL", "WARNING").upper()},
    "loggers": {
        "django": {"handlers": [], "level": "NOTSET"},
        # A form that was refused, a page that is not there: no faults of the site.
        "django.request": {"level": "ERROR"},
        # Rows and pages with all that stands in them: never, whatever else is asked for.
        "django.db.backends": {"level": "INFO"},
        "django.template": {"level": "INFO"},
    },
}

# Pauses of the live table, in seconds.
TABLE_FIRST_DEAL_SECONDS = number("TABLE_FIRST_DEAL_SECONDS", default=3)
# Players of a tournament are called to their table: they get longer before the first cards.
TOURNAMENT_FIRST_DEAL_SECONDS = number("TOURNAMENT_FIRST_DEAL_SECONDS", default=5 * TABLE_FIRST_DEAL_SECONDS)
TABLE_DEAL_PAUSE_SECONDS = number("TABLE_DEAL_PAUSE_SECONDS", default=6)
TABLE_BOT_SECONDS = number("TABLE_BOT_SECONDS", default=0.9)
TABLE_AWAY_SECONDS = number("TABLE_AWAY_SECONDS", default=2)
# A turn of an absent player whom the others want to wait for.
TABLE_WAIT_SECONDS = number("TABLE_WAIT_SECONDS", default=120)
