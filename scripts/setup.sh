#!/usr/bin/env bash
# Installs what locklab needs and this machine lacks: a redis-server, for real runs; or with the argument qemu, an emulator
# of arm64, for `make test-arm64`. Does nothing if there is one (a redis-server: redis-server, valkey-server, or the one
# that REDIS_SERVER names). The package's own service on port 6379 is not started, neither now nor at the next boot.
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

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif has sudo; then
    sudo "$@"
  else
    say "installing packages needs root or sudo (instead of a redis-server, REDIS_SERVER can name one)"
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

# with_apt installs packages without starting their services.
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

setup_server() {
  if ! have_server; then
    # stdout is for data: what the package manager says is progress.
    install_server >&2
    have_server || {
      say "the package was installed, but there is still no redis-server on PATH"
      exit 1
    }
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

# A machine that is arm64 itself needs none.
setup_qemu() {
  if [ "$(uname -m)" != aarch64 ] && ! has qemu-aarch64; then
    install_qemu >&2
    has qemu-aarch64 || {
      say "the package was installed, but there is still no qemu-aarch64 on PATH"
      exit 1
    }
  fi
}

case "${1:-redis}" in
  redis) setup_server ;;
  qemu) setup_qemu ;;
  *)
    say "unknown argument $1; want none, or qemu"
    exit 2
    ;;
esac
