// A worker thread that answers each request on a socket immediately, to measure hooks without the work of the worker.
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const server = createServer((request, response) => request.resume().once('end', () => response.end()));
server.listen(workerData.socket, () => parentPort.postMessage('listening'));
