#!/bin/sh
# sh hook.sh HOST EVENT [unless-installed]
# Writes the event of a host (stdin) as a file to spool/, where the worker collects it. Only events whose answer the
# host uses are also posted, and the answer is printed. Always exits with 0, prints nothing else, and blocks for less
# than a second after the host has sent its event. POSIX sh with as few processes as possible.

main() {
  question='' version=@VERSION@
  # an error of the shell itself would exit with 2, which hosts read as "block"
  trap 'keep_question; exit 0' EXIT HUP INT TERM
  trap '' PIPE XFSZ
  exec 2>/dev/null
  [ -z "${CLAUDE_MEM_OBSERVER:-}" ] || exit 0
  case ${CLAUDE_MEM_ENABLED:-} in 0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) exit 0 ;; esac
  LC_ALL=C
  set -f
  umask 077
  host=unknown event=unknown
  is_plain "$1" && host=$1
  is_plain "$2" && event=$2
  find_data_dir || discard_event
  [ "$3" = unless-installed ] && is_installed && exit 0
  [ -d "$data/spool" ] || mkdir -p "$data/spool" || discard_event
  cd "$data" && [ -w "$data/spool" ] || discard_event
  # the worker of the folder's owner must be able to read what root writes; the folder is closed to others
  [ -O "$data/spool" ] || umask 022
  # while this file exists, the worker responds to tool results, which are posted under their own event names
  if [ -e "$data/recall-on-failure" ]; then
    case $host/$event in
      claude-code/PostToolUse) event=ToolResult ;;
      claude-code/PostToolUseFailure) event=ToolFailure ;;
    esac
  fi
  read -r id </proc/sys/kernel/random/uuid || id=$(date +%s)
  # the process id orders events that were written within one tick of the file system's clock
  id=$$-$id
  if is_question; then ask; exit 0; fi
  file=$data/spool/$host.$event.$id.event
  # a null byte completes the file: renaming it would take another process
  { write_header; read_event; printf '\000'; } >"$file"
  is_worker_alive || start_worker
}

# Whether the argument may become part of a file name and a URL.
is_plain() {
  case $1 in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  [ ${#1} -le 64 ]
}

# For a data folder that cannot be used: the user gets a message at the start of a session. The host can write its event.
discard_event() {
  case $host/$event in
    claude-code/SessionStart | codex/SessionStart | gemini-cli/SessionStart)
      folder=${CLAUDE_MEM_DATA_DIR:-"~/.claude-mem"}
      # JSON needs escapes for these
      case $folder in *[[:cntrl:]\"\\]*) folder='its data directory' ;; esac
      printf '{"systemMessage":"claude-mem cannot store events in %s. Run: claude-mem doctor"}' "$folder"
      ;;
  esac
  case $host in claude-code) cat ;; *) (copy_for_a_second) ;; esac >/dev/null
  exit 0
}

# Sets data to the path of the data folder, without links. The environment can be that of a cloned repository, so a
# folder that the repository could contain is refused: the same rule as in find-data-dir.ts. Changes the current folder.
find_data_dir() {
  here=$PWD
  data=${CLAUDE_MEM_DATA_DIR:-"~/.claude-mem"}
  case $data in '~' | '~/'*) [ -n "${HOME:-}" ] && data=${HOME%/}${data#'~'} || return 1 ;; esac
  for folder in ${HOME:+"$HOME"} "$data"; do
    find_real_path "$folder" && ! is_in_project "$real" || return 1
  done
  data=$real
  [ -n "$data" ] || return 1
  [ ! -e "$data" ] || [ -O "$data" ] || { find_own_home && is_below "$own_home" "$data"; }
}

# Sets real to the path without links of a folder, which need not exist.
find_real_path() {
  case $1 in
    /proc/*) return 1 ;;
    /*) ;;
    [A-Za-z]:[/\\]*) read -r system </proc/version && case $system in *_NT-*) ;; *) return 1 ;; esac ;;
    *) return 1 ;;
  esac
  path=${1%/}
  parent=$path
  until cd -P "${parent:-/}"; do
    [ "$parent" != "${parent%/*}" ] || return 1
    parent=${parent%/*}
  done
  real=${PWD%/}${path#"$parent"}
  case $real/ in /proc/* | *//* | */./* | */../*) return 1 ;; esac
}

# Whether the folder is, or is inside, the current folder, the project of the host or a git repository. A folder that
# contains the person's home is no project.
is_in_project() {
  for project in "$here" "${CLAUDE_PROJECT_DIR:-}" "${CURSOR_PROJECT_DIR:-}" "${GEMINI_PROJECT_DIR:-}"; do
    [ -n "$project" ] && cd -P "$project" >/dev/null && [ "$PWD" != / ] || continue
    project=$PWD
    ! is_below "$project" "$1" || { find_own_home && is_below "$project" "$own_home"; } || return 0
  done
  project=$1
  while [ -n "$project" ]; do
    if [ -e "$project/.git" ]; then
      find_own_home || return 0
      # a person may keep the usual data folder in git
      is_below "$project" "$own_home" || [ "$project" = "$own_home/.claude-mem" ] || return 0
    fi
    project=${project%/*}
  done
  return 1
}

# Sets own_home to the home folder that the user database names. Starts a process, so only for unusual folders.
find_own_home() {
  user=$(id -un) || return 1
  case $user in '' | *[!A-Za-z0-9._@-]* | -*) return 1 ;; esac
  eval "own_home=~$user"
  case $own_home in /*) cd -P "$own_home" && own_home=$PWD ;; *) return 1 ;; esac
}

# is_below FOLDER PATH: whether the path is the folder or below it.
is_below() {
  case $2/ in "$1"/*) ;; *) return 1 ;; esac
}

write_header() {
  printf 'host: %s\nevent: %s\nevent-id: %s\nversion: %s\n' "$host" "$event" "$id" "$version"
  header project-dir "${CLAUDE_PROJECT_DIR:-${CURSOR_PROJECT_DIR:-${GEMINI_PROJECT_DIR:-}}}"
  header entrypoint "${CLAUDE_CODE_ENTRYPOINT:-}"
  header cursor-version "${CURSOR_VERSION:-}"
  echo
}

header() {
  case $2 in '' | *[[:cntrl:]]*) ;; *) printf '%s: %s\n' "$1" "$2" ;; esac
}

# The worker rejects events of more than 33 MiB.
read_event() {
  case $host in
    # closes stdin
    claude-code) (ulimit -f 69632; exec cat) ;;
    *) read_open_stdin ;;
  esac
}

# Some hosts never close stdin: after a second, input that looks complete is enough. A busy host may need longer.
read_open_stdin() {
  size=0 silent=0
  for second in 1 2 3 4 5 6 7 8 9 10; do
    (ulimit -f 69632; copy_for_a_second)
    case $? in 124 | 143) ;; *) return ;; esac
    case $(tail -c 3 "$file") in *['}]']) return ;; esac
    before=$size
    size=$(wc -c <"$file")
    if [ "$size" = "$before" ]; then silent=$((silent + 1)); else silent=0; fi
    [ $silent -lt 2 ] || return
  done
}

copy_for_a_second() {
  if command -v timeout >/dev/null; then exec timeout 1 cat; fi
  exec 3<&0
  cat <&3 &
  reader=$!
  { sleep 1 && kill "$reader"; } </dev/null >/dev/null 3<&- &
  wait "$reader"
  ended=$?
  kill "$!"
  return "$ended"
}

# Whether the host uses the answer: context at the start of a session, with a prompt, or with the result of a tool.
is_question() {
  case $event in
    [Ss]essionStart | UserPromptSubmit | beforeSubmitPrompt | BeforeAgent | chatMessage) return 0 ;;
  esac
  is_tool_result
}

# The agent waits after each tool, so the worker answers before it stores the event.
is_tool_result() {
  case $event in FileRead | ToolResult | ToolFailure) return 0 ;; esac
  return 1
}

# Sends the event and prints the answer. When the worker does not store the event, the file becomes visible to it.
ask() {
  file=$data/spool/$host.$event.$id.tmp
  question=$file
  { write_header; read_event; } >"$file"
  now=0
  read_clock
  deadline=$((now + 80))
  limit=0.8
  ! is_tool_result || limit=0.3
  post "$limit" && return
  case $event/$status in
    */away) start_worker || return ;;
    */starting) ;;
    *) return ;;
  esac
  # only the context of a new session is worth waiting for while the worker starts
  case $event/$status in [Ss]essionStart/away | [Ss]essionStart/starting) ;; *) return ;; esac
  while read_clock && [ $((deadline - now)) -ge 10 ]; do
    sleep 0.04 || return
    post "0.$((deadline - now))" && return
    case $status in away | starting) ;; *) return ;; esac
  done
}

keep_question() {
  [ ! -f "$question" ] || mv -f "$question" "${question%.tmp}.json"
  question=''
}

# Sets now in hundredths of a second. Without a clock, each call counts as 0.08 s.
read_clock() {
  if IFS=' ' read -r uptime rest </proc/uptime; then
    now=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
  else
    now=$((now + 8))
  fi
}

# post SECONDS: sends the file and prints the answer of the worker, which has then removed the file. curl appends the
# status to the answer, so that nothing is printed of an answer that broke off.
post() {
  status=away
  find_socket || return 1
  answer=$(
    curl -q -s --noproxy '*' --max-time "$1" --unix-socket "$socket" --data-binary "@$file" -w '%{http_code}' \
      -H 'expect:' -H 'content-type: application/x-claude-mem-hook' "http://localhost/api/hooks/$host/$event"
  )
  case $?/$answer in
    0/*200) status=delivered ;;
    0/*503) status=starting ;;
    0/*[1-9]??) status=refused ;;
    28/*) status=late ;;
    2/* | 4/* | 126/* | 127/*) post_with_node ;;
  esac
  [ $status = delivered ] || return 1
  printf '%s' "${answer%200}"
  ! is_tool_result || return 0
  [ ! -f "$file" ] || rm -f "$file"
  question=''
}

# For machines without a suitable curl.
post_with_node() {
  find_node && (
    unset_node_variables
    exec "$node" "$(own_folder)/hook.cjs" "$host" "$event" --spooled "$file"
  ) && question='' && exit 0
  status=refused
}

# In a folder that all users may write to, the socket could be another user's.
find_socket() {
  socket=$data/worker.sock
  if [ -f "$socket.path" ]; then
    read -r socket <"$socket.path" && [ -O "$socket" ] && [ -O "${socket%/*}" ] || return 1
  fi
  [ -S "$socket" ]
}

is_worker_alive() {
  # opening a named pipe would block
  [ -f "$data/worker.pid" ] && read -r pid <"$data/worker.pid" && is_plain "$pid" && kill -0 "$pid" || return 1
  # a dead process stays in the list until its parent has noticed, in some containers for ever
  read -r stat <"/proc/$pid/stat" || return 0
  case $stat in *') Z '*) return 1 ;; esac
}

# Hooks that find no worker start one, at most every 30 s. The lock is a folder, because only one process can create it.
# An old lock is renewed by a folder in it, named after the time of the lock: again, only one process can create that.
start_worker() {
  lock=$data/starting
  # a file in its place, or a link that leads nowhere, would prevent every start
  if [ ! -d "$lock" ] && { [ -e "$lock" ] || [ -h "$lock" ]; }; then rm -f "$lock"; fi
  if ! mkdir "$lock"; then
    created=$(stat -c %Y "$lock" || stat -f %m "$lock") || return 1
    age=$(($(date +%s) - created))
    [ $age -ge 30 ] || [ $age -lt -5 ] || return 0
    if ! mkdir "$lock/$created"; then
      [ ! -d "$lock/$created" ] || return 0
      # created by another user
      mv "$lock" "$lock.$id" && mkdir "$lock" || return 1
    fi
  fi
  find_node && find_worker || return 1
  log=$data/logs/worker-start.log
  [ -d "$data/logs" ] || mkdir "$data/logs"
  [ ! -p "$log" ] && true >>"$log" || log=/dev/null
  run_detached
}

# Variables that change what Node does before a program can remove them.
unset_node_variables() {
  for word in $(export -p); do
    case ${word%%=*} in
      *[!A-Za-z0-9_]*) ;;
      NODE_* | OPENSSL_*) unset "${word%%=*}" ;;
    esac
  done
}

# The worker outlives the host: it shares no file, folder, session or parent with the host.
run_detached() (
  unset_node_variables
  unset CLAUDECODE CLAUDE_ENV_FILE CLAUDE_PROJECT_DIR CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID
  [ -z "${CLAUDE_MEM_DATA_DIR:-}" ] || CLAUDE_MEM_DATA_DIR=$data
  cd "$data" || return 1
  # as in spawn-worker.ts
  set -- "$node" --max-semi-space-size=4 --v8-pool-size=1 "$worker" --settings-file-only
  exec </dev/null >"$log" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  if command -v setsid >/dev/null; then
    setsid "$@" &
  else
    "$node" -e 'require("child_process").spawn(process.argv[1], process.argv.slice(2),
      { detached: true, windowsHide: true, stdio: "inherit" }).unref()' -- "$@" &
  fi
)

find_node() {
  { [ -f "$data/node.path" ] && read -r node <"$data/node.path" && [ -x "$node" ]; } ||
    node=$(command -v node) || find_usual_node
  [ -x "$node" ]
}

find_usual_node() {
  set +f
  for node in "${HOME:-}"/.nvm/current/bin/node "${HOME:-}"/.nvm/versions/node/*/bin/node \
    "${HOME:-}"/.volta/bin/node /usr/local/bin/node /opt/homebrew/bin/node /usr/bin/node; do
    [ ! -x "$node" ] || break
  done
  set -f
}

# Next to this package; otherwise the path that the last manual start stored.
find_worker() {
  own=$(own_folder)
  for worker in "$own/../../worker/dist/main.js" "$own/../node_modules/@claude-mem/worker/dist/main.js"; do
    [ ! -f "$worker" ] || return 0
  done
  [ -f "$data/worker.path" ] && read -r worker <"$data/worker.path" && [ -f "$worker" ]
}

own_folder() {
  case $0 in
    /*/* | [A-Za-z]:*/*) echo "${0%/*}" ;;
    */*) echo "$here/${0%/*}" ;;
    *) echo "$here" ;;
  esac
}

# The plugin does nothing while hooks of "claude-mem install" run for the same event. The installer lists the settings
# files that it changed, so that a text in the settings of a repository has no effect.
is_installed() {
  while read -r settings; do
    case $settings in
      "${CLAUDE_CONFIG_DIR:-${HOME:-}/.claude}"/* | "${CLAUDE_PROJECT_DIR:-/nowhere}"/*) ;;
      *) continue ;;
    esac
    [ -f "$settings" ] || continue
    script=$(sed -n "s/.*[\" ]sh '\([^'\\\\]*\)' $host $event 2>.*# claude-mem hook.*/\1/p" "$settings" | sed 1q)
    [ -n "$script" ] && [ -f "$script" ] && return 0
  done <"$data/installed-hooks"
  return 1
}

# The shell parses the complete file before it runs main.
main "${1:-}" "${2:-}" "${3:-}"
