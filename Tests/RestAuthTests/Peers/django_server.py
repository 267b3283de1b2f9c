# SPDX-License-Identifier: Apache-2.0
"""django-oauth-toolkit with a SQLite database in the directory.

It accepts HTTP Basic and client_secret_post from every client, as its metadata says. The metadata does not contain the
device endpoint.
"""
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import django
from django.conf import settings

import peer

ARGUMENTS = peer.arguments()


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


SERVER = WSGIServer(("127.0.0.1", 0), QuietHandler)
ORIGIN = f"http://127.0.0.1:{SERVER.server_port}"
LOGIN_PAGE = '<form method="post">{% csrf_token %}{{ form }}<input type="submit" value="Log in"></form>'

settings.configure(
    SECRET_KEY=ARGUMENTS.password,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    LOGIN_URL="/login",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": f"{ARGUMENTS.folder}/django.db"}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request"],
            "loaders": [
                ("django.template.loaders.locmem.Loader", {"login.html": LOGIN_PAGE}),
                "django.template.loaders.app_directories.Loader",
            ],
        },
    }],
    LOGGING_CONFIG=None,
    OAUTH2_PROVIDER={
        "PKCE_REQUIRED": True,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": ARGUMENTS.lifetime,
        "ALLOWED_SCHEMES": ["http", "https"],
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https"],
        "OAUTH_DEVICE_VERIFICATION_URI": f"{ORIGIN}/device/",
        "DEVICE_FLOW_INTERVAL": 1,
    },
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402
from oauth2_provider.oauth2_backends import get_oauthlib_core  # noqa: E402


def query(request, rest):
    is_valid, _ = get_oauthlib_core().verify_request(request, scopes=[peer.SCOPE])
    return JsonResponse(peer.PAGE if is_valid else peer.EXPIRED, status=200 if is_valid else 401, safe=False)


urlpatterns = [
    path("login", LoginView.as_view(template_name="login.html")),
    path("services/data/<path:rest>", query),
    path("", include("oauth2_provider.urls")),
]

GRANT_TYPES = {
    "code": "authorization-code", "device": "urn:ietf:params:oauth:grant-type:device_code",
    "machine": "client-credentials", "password": "password",
}

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    user = User.objects.create_user("user", password=ARGUMENTS.password)
    for grant, kind in GRANT_TYPES.items():
        for way in peer.WAYS:
            Application.objects.create(
                client_id=f"{grant}-{way}", client_secret="" if way == "none" else ARGUMENTS.password,
                client_type="public" if way == "none" else "confidential", authorization_grant_type=kind, user=user,
                redirect_uris=" ".join(ARGUMENTS.redirect or ["http://127.0.0.1/callback"]))
    SERVER.set_app(get_wsgi_application())
    peer.ready(basic=ORIGIN, post=ORIGIN, none=ORIGIN)
    SERVER.serve_forever()
