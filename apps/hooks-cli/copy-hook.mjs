// Part of the build: hook.sh tells the worker which version it is of, so that an older worker makes way.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const text = readFileSync('src/hook.sh', 'utf8').replace('@VERSION@', version);
// a shell that is reading the old script must not meet the new one in the middle
writeFileSync('dist/hook.sh.new', text, { mode: 0o755 });
renameSync('dist/hook.sh.new', 'dist/hook.sh');
