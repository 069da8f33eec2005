// A thread that answers every request on a socket at once, to measure a hook without the work of the worker.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const server = createServer((request, response) => request.resume().once('end', () => response.end()));
server.listen(workerData.socket, () => parentPort.postMessage('listening'));
