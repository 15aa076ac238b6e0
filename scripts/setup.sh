#!/usr/bin/env bash
# Installs what locklab needs and this machine lacks: a redis-server, for real runs (nothing if there is one:
# redis-server, valkey-server, or the one that REDIS_SERVER names); with --for-tests also a C compiler (nothing if
# there is one: cc, gcc, clang, or the one that CC names) and a browser (nothing if there is one: chromium, chromium-browser,
# google-chrome). The service of the server's package on port 6379 is not started, neither
# now nor at the next boot. With --for-arm64, only an emulator of arm64 is installed (nothing if there is qemu-aarch64).
set -euo pipefail

readonly policy=/usr/sbin/policy-rc.d
readonly saved_policy=$policy.before-locklab
policy_is_ours=

has() { command -v "$1" >/dev/null 2>&1; }

say() { echo "setup: $*" >&2; }

# An unusual REDIS_SERVER is left to locklab, which says what is wrong with it.
have_server() {
  local path="$PATH:/usr/bin:/usr/local/bin:/usr/sbin"
  [ -n "${REDIS_SERVER:-}" ] || PATH="$path" has redis-server || PATH="$path" has valkey-server
}

have_compiler() { [ -n "${CC:-}" ] || has cc || has gcc || has clang; }

have_browser() { has chromium || has chromium-browser || has google-chrome; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif has sudo; then
    sudo "$@"
  else
    say "installing needs root or sudo; or set REDIS_SERVER to the path of a redis-server (and CC to a C compiler's)"
    return 1
  fi
}

exists() { [ -e "$1" ] || [ -L "$1" ]; }

# While the policy says 101, Debian's packages start no service.
forbid_services() {
  if exists "$policy" && ! exists "$saved_policy"; then
    as_root mv "$policy" "$saved_policy"
  fi
  policy_is_ours=yes
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
  as_root chmod 755 "$policy"
}

restore_policy() {
  [ -n "$policy_is_ours" ] || return 0
  if exists "$saved_policy"; then
    as_root mv -f "$saved_policy" "$policy"
  else
    as_root rm -f "$policy"
  fi
  policy_is_ours=
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -o DPkg::Lock::Timeout=120 install -y --no-install-recommends "$@" </dev/null
}

with_apt() {
  trap restore_policy EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  forbid_services
  if ! apt_install "$@"; then
    say "refreshing the package lists and trying again"
    as_root apt-get update
    apt_install "$@"
  fi
  restore_policy
}

install_server() {
  say "no redis-server here; installing it with the system's package manager"
  if has apt-get; then
    with_apt redis-server
    as_root update-rc.d redis-server disable
  elif has dnf; then
    as_root dnf install -y redis || as_root dnf install -y valkey
  elif has apk; then
    as_root apk add redis
  else
    say "found none of apt-get, dnf, apk: install redis-server or valkey-server, or set REDIS_SERVER to its path"
    return 1
  fi
}

install_compiler() {
  say "no C compiler here; installing one with the system's package manager"
  if has apt-get; then
    with_apt gcc libc6-dev
  elif has dnf; then
    as_root dnf install -y gcc
  elif has apk; then
    as_root apk add gcc musl-dev
  else
    say "found none of apt-get, dnf, apk: install a C compiler, or set CC to its path"
    return 1
  fi
}

install_browser() {
  say "no Chromium here; installing it with the system's package manager"
  if has apt-get; then
    with_apt chromium
  elif has dnf; then
    as_root dnf install -y chromium
  elif has apk; then
    as_root apk add chromium
  else
    say "found none of apt-get, dnf, apk: install chromium, chromium-browser or google-chrome"
    return 1
  fi
}

install_qemu() {
  say "no emulator of arm64 here; installing qemu-user with the system's package manager"
  if has apt-get; then
    with_apt qemu-user
  elif has dnf; then
    as_root dnf install -y qemu-user
  elif has apk; then
    as_root apk add qemu-aarch64
  else
    say "found none of apt-get, dnf, apk: install qemu-aarch64 (often in a package qemu-user)"
    return 1
  fi
}

# A machine that is arm64 itself needs no emulator of it.
if [ "${1:-}" = --for-arm64 ]; then
  [ "$(uname -m)" = aarch64 ] || has qemu-aarch64 || install_qemu >&2
  [ "$(uname -m)" = aarch64 ] || has qemu-aarch64 || {
    say "the package was installed, but there is still no qemu-aarch64 on PATH"
    exit 1
  }
  exit 0
fi

if ! have_server; then
  # stdout is for data: what the package manager says is progress.
  install_server >&2
  have_server || {
    say "the package was installed, but there is still no redis-server on PATH"
    exit 1
  }
fi

if [ "${1:-}" = --for-tests ] && ! have_compiler; then
  install_compiler >&2
  have_compiler || {
    say "the package was installed, but there is still no C compiler on PATH"
    exit 1
  }
fi

if [ "${1:-}" = --for-tests ] && ! have_browser; then
  install_browser >&2
  have_browser || {
    say "the package was installed, but there is still no chromium, chromium-browser or google-chrome on PATH"
    exit 1
  }
fi
