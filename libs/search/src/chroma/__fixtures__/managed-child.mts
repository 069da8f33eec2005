import { noopLogger, systemClock } from '@claude-mem/core';
import { startManagedServer } from '../managed/start-managed-server.js';

/** `managed-child.mts <folder> <bindings>`: starts a server, says where it is, and keeps it until it is ended. */
const [dataDir = '', bindings = ''] = process.argv.slice(2);
setInterval(() => {}, 1000);
const server = startManagedServer({ dataDir, bindings }, { logger: noopLogger, clock: systemClock });
process.stdout.write(`${await server.address()}\n`);
process.on('SIGTERM', () => void server.close().then(() => process.exit(0)));
