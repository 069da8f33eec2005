/** Files of a running worker. `dataPaths` of the settings package contains all paths. */
export interface WorkerPlaces {
  socket: string;
  /** Contains the path of the socket when the path of `socket` is too long for the system. */
  socketPointer: string;
  tokenFile: string;
  /** Process id, port and socket of the running worker. */
  stateFile: string;
  /** The worker has this file open as long as it runs. */
  lockFile: string;
}
