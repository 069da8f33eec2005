// Part of the build: hook.sh tells the worker which version it is of, so that an older worker makes way.
import { readFileSync, writeFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync('dist/hook.sh', readFileSync('src/hook.sh', 'utf8').replace('@VERSION@', version), {
  mode: 0o755,
});
