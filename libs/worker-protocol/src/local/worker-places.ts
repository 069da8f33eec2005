/** Where the worker of a data directory is found; `dataPaths` of settings has them all. */
export interface WorkerPlaces {
  socket: string;
  /** Holds the path of the real socket when that of `socket` is too long for the system. */
  socketPointer: string;
  tokenFile: string;
  /** Process id, port and socket of the running worker. */
  stateFile: string;
  /** Open in the worker as long as it runs. */
  lockFile: string;
}
