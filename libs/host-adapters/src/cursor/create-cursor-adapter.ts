import type { AdapterOptions, HostAdapter } from '../host-adapter.js';
import { createRealPathReader } from '../real-path.js';
import { CURSOR_EVENTS } from './events.js';
import { cursorInstaller } from './install.js';
import { createCursorReader } from './read-event.js';
import { writeCursorAnswer } from './write-answer.js';

/** Creates the adapter for Cursor, editor and command line, according to its documentation of hooks. */
export function createCursorAdapter(options: AdapterOptions = {}): HostAdapter {
  const own = { ...options, follow: createRealPathReader() };
  const read = createCursorReader();
  return {
    name: 'cursor',
    events: CURSOR_EVENTS,
    readEvent: (input) => read(input, own),
    writeAnswer: writeCursorAnswer,
    ...cursorInstaller,
  };
}
