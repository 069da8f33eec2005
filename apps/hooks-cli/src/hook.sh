#!/bin/sh
# sh hook.sh HOST EVENT [unless-installed]: hands the host's event (stdin) to the worker and prints the worker's answer.
# The event is a file in spool/ before anything else. When no worker takes it in time the file stays, the worker is
# started once and drains it. Ends with 0 whatever happens, says nothing of its own, and blocks for less than a second
# once the host has sent its event. POSIX sh; as few processes as can be: one more, perl, where the system has it, since
# that starts in a third of curl's time.

main() {
  file='' now=0 version=@VERSION@
  # whatever ends it, also an error of the shell itself, which would be 2: hosts read that as "block"
  trap 'keep; exit 0' EXIT HUP INT TERM
  trap '' PIPE
  exec 2>/dev/null
  [ -z "${CLAUDE_MEM_OBSERVER:-}" ] || exit 0
  case ${CLAUDE_MEM_ENABLED:-} in 0 | [Ff][Aa][Ll][Ss][Ee] | [Nn][Oo] | [Oo][Ff][Ff]) exit 0 ;; esac
  LC_ALL=C
  set -f
  umask 077
  find_data_dir || exit 0
  host=unknown event=unknown
  is_plain "$1" && host=$1
  is_plain "$2" && event=$2
  option=$3
  [ -d "$data/spool" ] || mkdir -p "$data/spool" || exit 0
  create_file || exit 0
  deliver
}

# What may become part of a file name and of a URL.
is_plain() {
  case $1 in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  [ ${#1} -le 64 ]
}

find_data_dir() {
  data=${CLAUDE_MEM_DATA_DIR:-"~/.claude-mem"}
  case $data in
    /* | [A-Za-z]:*) return 0 ;;
    '~') data=${HOME:-} ;;
    '~/'*) data=${HOME:-}${data#'~'} ;;
    *) data=${HOME:-}/$data ;;
  esac
  [ -n "${HOME:-}" ]
}

# The id is read without a process of its own where the system has one; process numbers recur, so the time goes along.
create_file() {
  read -r id </proc/sys/kernel/random/uuid || id=
  [ -n "$id" ] || id=$(date +%s)-$$
  set -C
  for suffix in '' -2 -3 -4; do
    file=$data/spool/$host.$event.$id$suffix.tmp
    true >"$file" && id=$id$suffix && return 0
  done
  file=''
  return 1
}

read_event() {
  # some hosts never close stdin: after a second what looks whole counts; a host on a busy machine may need longer, also to begin
  size=0 silent=0
  for second in 1 2 3 4 5 6 7 8 9 10; do
    # no more than the worker takes, as below
    (ulimit -c 0; ulimit -f 69632; copy_stdin)
    case $? in 124 | 143) ;; *) return ;; esac
    case $(tail -c 3 "$file") in *['}]']) return ;; esac
    before=$size
    size=$(wc -c <"$file")
    if [ "$size" = "$before" ]; then silent=$((silent + 1)); else silent=0; fi
    [ $silent -lt 2 ] || return
  done
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

copy_stdin() {
  if command -v timeout >/dev/null; then timeout 1 cat >>"$file"; else copy_with_watchdog; fi
}

copy_with_watchdog() {
  exec 3<&0
  cat <&3 >>"$file" &
  reader=$!
  { sleep 1 && kill "$reader"; } </dev/null >/dev/null 3<&- &
  wait "$reader"
  ended=$?
  kill "$!"
  return "$ended"
}

# Returns 0 once the event is the worker's.
deliver() {
  write_header >>"$file"
  longest=0.8
  # an answer to a question that does not come at once is not worth waiting for, nor starting a worker
  if is_question; then longest=0.3; fi
  read_and_post && return 0
  is_question && return 1
  case $status in
    000 | late) start_worker || return 1 ;;
    503) ;;
    *) return 1 ;;
  esac
  # only a session's start has an answer worth waiting for
  case $event/$status in [Ss]essionStart/000 | [Ss]essionStart/503) ;; *) return 1 ;; esac
  while read_clock && [ $((deadline - now)) -ge 10 ]; do
    sleep 0.04 || return 1
    $post "0.$((deadline - now))" && return 0
    case $status in 000 | 503) ;; *) return 1 ;; esac
  done
  return 1
}

# The host is about to use a tool: nothing happened yet.
is_question() {
  case $event in [Pp]reToolUse) return 0 ;; esac
  return 1
}

# To the file before anything is sent: a pipe to the sender could be full at the moment that the time for reading is over.
read_and_post() {
  # a plugin stands back where settings of the host have hooks of ours that can run: one conversation is reported once
  set --
  if [ "$option" = unless-installed ]; then
    set -- "${CLAUDE_CONFIG_DIR:-${HOME:-}/.claude}/settings.json"
    [ -z "${CLAUDE_PROJECT_DIR:-}" ] ||
      set -- "$@" "$CLAUDE_PROJECT_DIR/.claude/settings.json" "$CLAUDE_PROJECT_DIR/.claude/settings.local.json"
    # a pipe in its place would be waited for without end
    for settings; do
      shift
      [ ! -f "$settings" ] || set -- "$@" "$settings"
    done
  fi
  post=post_with_perl
  $post $longest read "$@" && return 0
  if [ $status != unsent ]; then
    # how long it read is not known, but an answer that is neither yes nor late came quickly
    read_clock
    deadline=$((now + 80))
    return 1
  fi
  post=post_with_curl
  if is_installed "$@"; then forget_file; return 0; fi
  read_event
  read_clock
  deadline=$((now + 80))
  $post $longest
}

# is_installed SETTINGS…: a path with signs that JSON or the shell write in another way is not found: then both report.
is_installed() {
  [ $# -gt 0 ] || return 1
  script=$(sed -n "s/.*[\" ]sh '\([^'\\\\]*\)' $host $event 2>.*# claude-mem hook.*/\1/p" "$@" | sed 1q)
  [ -n "$script" ] && [ -f "$script" ]
}

# Sets now to hundredths of a second; where there is no such clock each look at it counts as 0.08 s.
read_clock() {
  if IFS=' ' read -r uptime rest </proc/uptime; then
    now=$((${uptime%.*} * 100 + 1${uptime#*.} - 100))
  else
    now=$((now + 8))
  fi
}

find_socket() {
  socket=$data/worker.sock
  [ ! -f "$socket.path" ] || read -r socket <"$socket.path"
  [ -S "$socket" ]
}

# post_with_perl LIMIT [read SETTINGS…]: with `read`, the event first goes from stdin to the file. Without modules and the files of a
# language, which take longer than all the rest, and from the system's place, since elsewhere it may be a script that looks for the
# one to use.
post_with_perl() {
  status=unsent
  [ -x /usr/bin/perl ] || return 1
  find_socket
  LC_ALL=C PERL5OPT='' PERLIO='' PERL_UNICODE=0 /usr/bin/perl -e "$perl_program" "$file" "$socket" "/api/hooks/$host/$event" "$@"
  case $? in
    0 | 15) status=200 ;;
    10) status=refused ;;
    11) status=503 ;;
    12) status=000 ;;
    14 | 126 | 127 | 255) ;;
    *) status=late ;;
  esac
  [ $status = 200 ] && forget_file
}

perl_program='
my ($file, $path, $url, $limit, $reads, @settings) = @ARGV;
my ($delivered, $refused, $starting, $away, $late, $unable, $installed) = (0, 10, 11, 12, 13, 14, 15);
exit $unable unless $^O =~ /^(?:linux|darwin|(?:free|net|open)bsd)$/;
open(my $spool, "+<", $file) or exit $unable;
my ($body, $chunk) = ("", "");
$body .= $chunk while sysread($spool, $chunk, 65536);
exit $installed if grep { is_installed($_) } @settings;
read_event() if $reads;
# nothing holds it for longer, also where the rest of a time limit is not told
alarm 1;
my $quick = $limit - 0.2;
my $result = post();
exit($limit < $quick && $result != $delivered && $result != $refused ? $late : $result);

# These two are the same as those of the shell.
sub is_installed {
  my ($host, $event) = $url =~ m{([^/]+)/([^/]+)$};
  open(my $settings, "<", $_[0]) or return 0;
  sysread($settings, my $text, 1 << 20);
  while ($text =~ /[" ]sh \x27([^\x27\\]*)\x27 $host $event 2>.*# claude-mem hook/g) { return 1 if -f $1 }
  return 0;
}

sub read_event {
  my ($before, $left, $silent) = (length $body, 1, 0);
  for (my $second = 1; $second <= 10; ) {
    my ($found, $rest) = select(my $ready = "\1", undef, undef, $left);
    if ($found > 0) {
      sysread(STDIN, $chunk, 65536) or return;
      # the worker takes no longer one, and a host that writes without end would fill the disk
      if (length $body < 34 << 20) {
        syswrite($spool, $chunk);
        $body .= $chunk;
      }
      $left = $rest;
      next if $left > 0;
    }
    return if $body =~ /[}\]].?.?\z/s;
    $silent = length $body == $before ? $silent + 1 : 0;
    return if $silent == 3;
    ($before, $left) = (length $body, 1);
    $second++;
  }
}

sub post {
  my $address = $^O eq "linux" ? pack("S a108", 1, $path) : pack("C C a104", 106, 1, $path);
  socket(my $worker, 1, 1, 0) or return $away;
  connect($worker, $address) or return $away;
  my $request = join("\r\n", "POST $url HTTP/1.1", "host: localhost", "connection: close",
    "content-type: application/x-claude-mem-hook", "content-length: " . length $body, "", $body);
  my ($sent, $answer, $part) = (0, "", 0);
  vec(my $bits = "", fileno $worker, 1) = 1;
  while ($sent < length $request) {
    wait_for(undef, $bits) or return $late;
    # not taken to the end: there may be an answer that says why
    $part = syswrite($worker, $request, 16384, $sent) or last;
    $sent += $part;
  }
  do { wait_for($bits, undef) or return $late } while sysread($worker, $answer, 65536, length $answer);
  my ($head, $text) = split(/\r\n\r\n/, $answer, 2);
  my ($status) = $head =~ m{^HTTP/1\.[01] (\d{3}) };
  my ($length) = $head =~ /\ncontent-length: *(\d+)/i;
  return $away unless $status && defined $length && $length == length $text;
  return $status == 503 ? $starting : $refused unless $status == 200;
  while (length $text) {
    $part = syswrite(STDOUT, $text) or last;
    substr($text, 0, $part) = "";
  }
  return $delivered;
}

sub wait_for {
  (my $found, $limit) = select(my $readable = $_[0], my $writable = $_[1], undef, $limit);
  return $found > 0;
}
'

# post_with_curl LIMIT: the answer ends with the status that curl adds, so that nothing is printed of one that broke off.
post_with_curl() {
  status=000
  find_socket || return 1
  answer=$(
    curl -q -s --noproxy '*' --max-time "$1" --unix-socket "$socket" --data-binary "@$file" -w '%{http_code}' \
      -H 'expect:' -H 'content-type: application/x-claude-mem-hook' "http://localhost/api/hooks/$host/$event"
  )
  case $?/$answer in
    0/*200) status=200 ;;
    0/*503) status=503 ;;
    0/*[1-9]??) status=refused ;;
    28/*) status=late ;;
    2/* | 4/* | 126/* | 127/*) post_with_node ;;
  esac
  [ $status = 200 ] || return 1
  printf '%s' "${answer%200}"
  forget_file
}

# The worker removes it, which spares a process here.
forget_file() {
  [ ! -f "$file" ] || rm -f "$file"
  file=''
}

# No curl, or one that knows no unix sockets.
post_with_node() {
  find_node && NODE_OPTIONS='' NODE_EXTRA_CA_CERTS='' \
    "$node" "$(own_folder)/hook.cjs" "$host" "$event" --spooled "$file" && exit 0
  status=refused
}

keep() {
  if is_question; then forget_file; fi
  [ -z "$file" ] || mv -f "$file" "${file%.tmp}.json"
  file=''
}

# One start for all hooks that find no worker, and none again for 30 s: the gate is a folder that only one can make.
start_worker() {
  gate=$data/starting note=''
  if ! mkdir "$gate"; then
    # a file in its place, or a link that leads nowhere, would stop every start
    if [ -h "$gate" ] || [ ! -d "$gate" ]; then
      rm -f "$gate"
      mkdir "$gate" || return 1
      note='it was removed'
    else
      is_old "$gate" && renew_gate || return 0
    fi
  fi
  find_node && find_worker || return 1
  log=$data/logs/worker-start.log
  [ -d "$data/logs" ] || mkdir "$data/logs"
  # a pipe in its place would be waited for without end
  [ ! -p "$log" ] && true >>"$log" || log=/dev/null
  run_apart
}

# Of all that find an old gate one renews it; it looks again when the others can no longer come between.
renew_gate() {
  mkdir "$gate.renewing" || { is_old "$gate.renewing" && move_away "$gate.renewing"; return 1; }
  # the worker may be ready and have taken it away: it must not come back as a file
  is_old "$gate" && { touch -c "$gate" || { move_away "$gate" && mkdir "$gate"; }; }
  renewed=$?
  rmdir "$gate.renewing"
  return $renewed
}

# Perhaps a link, or made by another user: only the name is surely ours.
move_away() {
  rmdir "$1" || rm -f "$1" || mv "$1" "$1.$id" || return 1
  note='it was taken away'
}

is_old() {
  made=$(stat -c %Y "$1" || stat -f %m "$1") || return 1
  age=$(($(date +%s) - made))
  [ $age -ge 30 ] || [ $age -lt -5 ]
}

# The worker outlives the host: no open file, folder, session or parent in common with it.
run_apart() (
  unset NODE_OPTIONS NODE_EXTRA_CA_CERTS CLAUDECODE CLAUDE_ENV_FILE CLAUDE_PROJECT_DIR
  unset CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SESSION_ID
  [ -z "${CLAUDE_MEM_DATA_DIR:-}" ] || CLAUDE_MEM_DATA_DIR=$data
  cd "$data" || return 1
  set +C
  # as in spawn-worker.ts
  set -- "$node" --max-semi-space-size=4 --v8-pool-size=1 "$worker"
  exec </dev/null >"$log" 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
  [ -z "$note" ] || echo "What lay at $gate kept hooks from starting a worker: $note."
  # sh knows no higher number, but a script around the host may hold a lock by one, and would for as long as the worker lives
  if [ $post = post_with_perl ]; then
    export PERL5OPT=''
    set -- /usr/bin/perl -e 'for (3 .. 1023) { open(my $file, "<&=", $_) and close $file } exec @ARGV' "$@"
  fi
  if command -v setsid >/dev/null; then
    setsid "$@" &
  else
    "$node" -e 'require("child_process").spawn(process.argv[1], process.argv.slice(2),
      { detached: true, windowsHide: true, stdio: "inherit" }).unref()' -- "$@" &
  fi
)

find_node() {
  node=${CLAUDE_MEM_NODE:-}
  [ -n "$node" ] || { [ -f "$data/node.path" ] && read -r node <"$data/node.path" && [ -x "$node" ]; } ||
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

# Beside this package, whether in the workspace or installed; else where the last start by hand found it.
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
    */*) echo "$PWD/${0%/*}" ;;
    *) echo "$PWD" ;;
  esac
}

# Parsed in full before anything runs.
main "${1:-}" "${2:-}" "${3:-}"
