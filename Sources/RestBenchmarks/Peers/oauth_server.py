# SPDX-License-Identifier: Apache-2.0
"""django-oauth-toolkit on loopback, with one user and two public clients: the peer of the figure auth.peer.

Usage: oauth_server.py DATABASE PASSWORD; prints its port when it is ready.
"""
import sys
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import django
from django.conf import settings

DATABASE, PASSWORD = sys.argv[1:3]
SERVER = WSGIServer(("127.0.0.1", 0), WSGIRequestHandler)
LOGIN_PAGE = '<form method="post">{% csrf_token %}{{ form }}<input type="submit" value="Log in"></form>'

settings.configure(
    SECRET_KEY=PASSWORD,
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    LOGIN_URL="/login",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
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
    OAUTH2_PROVIDER={
        "PKCE_REQUIRED": True,
        "ROTATE_REFRESH_TOKEN": True,
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
        "ALLOWED_SCHEMES": ["http", "https"],
        "OAUTH_DEVICE_VERIFICATION_URI": f"http://127.0.0.1:{SERVER.server_port}/device/",
        "DEVICE_FLOW_INTERVAL": 1,
    },
)
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.contrib.auth.views import LoginView  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402

urlpatterns = [
    path("login", LoginView.as_view(template_name="login.html")),
    path("", include("oauth2_provider.urls")),
]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    user = User.objects.create_user("user", password=PASSWORD)
    Application.objects.create(
        client_id="browser", client_type="public", authorization_grant_type="authorization-code", user=user,
        redirect_uris="http://127.0.0.1/callback")
    Application.objects.create(
        client_id="device", client_type="public",
        authorization_grant_type="urn:ietf:params:oauth:grant-type:device_code", user=user)
    SERVER.set_app(get_wsgi_application())
    print(SERVER.server_port, flush=True)
    SERVER.serve_forever()
