"""URLs of accounts: allauth's pages one by one, so that nothing of it is open by accident, and our own."""

from allauth.account import views as allauth_views
from django.urls import include, path

from accounts import views

urlpatterns = [
    path("accounts/login/", allauth_views.login, name="account_login"),
    path("accounts/logout/", allauth_views.logout, name="account_logout"),
    path("accounts/inactive/", allauth_views.account_inactive, name="account_inactive"),
    path("accounts/signup/", allauth_views.signup, name="account_signup"),
    path("accounts/reauthenticate/", allauth_views.reauthenticate, name="account_reauthenticate"),
    path("accounts/password/change/", allauth_views.password_change, name="account_change_password"),
    path("accounts/password/reset/", views.forgotten, name="account_reset_password"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("reset/<uidb64>/<token>/", views.ResetPasswordView.as_view(), name="reset_password"),
    path("invite/<str:token>/", views.invitation, name="accept_invitation"),
    path("tenant/", views.tenant, name="choose_tenant"),
    path("tenant/leave/", views.leave, name="leave_tenant"),
]
