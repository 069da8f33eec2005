#!/bin/sh
# sh hook.sh HOST EVENT: the plugin's hook. It stands back where settings of the host have hooks of ours that can run, put
# there by `claude-mem install`: one conversation is reported once. POSIX sh; as few processes as can be.

main() {
  is_installed "$2" && exit 0
  exec sh "${0%/*}/../hooks-cli/dist/hook.sh" "$1" "$2"
}

is_installed() {
  set -- "$1" "${CLAUDE_CONFIG_DIR:-${HOME:-}/.claude}/settings.json"
  [ -z "${CLAUDE_PROJECT_DIR:-}" ] ||
    set -- "$@" "$CLAUDE_PROJECT_DIR/.claude/settings.json" "$CLAUDE_PROJECT_DIR/.claude/settings.local.json"
  scripts=$(installed_scripts "$@" 2>/dev/null)
  # a path with signs that JSON or the shell write in another way is not found: then both report
  script=${scripts%%"$newline"*}
  [ -n "$script" ] && [ -f "$script" ]
}

installed_scripts() {
  event=$1
  shift
  sed -n "s/.*[\" ]sh '\([^'\\\\]*\)' claude-code $event 2>.*# claude-mem hook.*/\1/p" "$@"
}

newline='
'
main "${1:-}" "${2:-}"
