import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TypeBadge } from './TypeBadge.js';

it.each(['bugfix', 'constructor', 'toString', '__proto__'])('shows the name of the type %s', (type) =>
  expect(renderToString(<TypeBadge type={type} />)).toContain(type),
);
