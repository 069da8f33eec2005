// Part of the build: writes the version into hook.sh, so that an older worker ends when it receives a newer event.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = readFileSync('src/hook.sh', 'utf8').replace('@VERSION@', version);
// renamed into place, because a shell may be reading the old script
writeFileSync('dist/hook.sh.new', text, { mode: 0o755 });
renameSync('dist/hook.sh.new', 'dist/hook.sh');
