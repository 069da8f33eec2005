// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { switchLetterKeys, useKeys } from './use-keys.js';

function Page({ pressed }: { pressed: string[] }) {
  useKeys({
    u: () => pressed.push('u'),
    'g u': () => pressed.push('g u'),
    Delete: () => pressed.push('Delete'),
  });
  return (
    <>
      <input />
      <div role="dialog">
        <button type="button">Close</button>
      </div>
    </>
  );
}

it('runs the shortcut of a key or of "g" and a key, but not in a field, over a dialog or with Ctrl', () => {
  const pressed: string[] = [];
  const { getByRole } = render(<Page pressed={pressed} />);
  const press = (key: string, at: Element = document.body, ctrlKey = false) =>
    fireEvent.keyDown(at, { key, ctrlKey });
  press('u');
  expect(pressed).toEqual(['u']);
  press('g');
  press('u');
  press('u');
  expect(pressed).toEqual(['u', 'g u', 'u']);
  press('g', getByRole('textbox'));
  press('u');
  expect(pressed).toEqual(['u', 'g u', 'u', 'u']);
  press('u', getByRole('textbox'));
  press('u', getByRole('button'));
  press('u', document.body, true);
  expect(pressed).toHaveLength(4);
});

it('ignores letter shortcuts when they are disabled, and still runs named keys', () => {
  const pressed: string[] = [];
  render(<Page pressed={pressed} />);
  switchLetterKeys(false);
  fireEvent.keyDown(document.body, { key: 'u' });
  fireEvent.keyDown(document.body, { key: 'Delete' });
  expect(pressed).toEqual(['Delete']);
  switchLetterKeys(true);
  fireEvent.keyDown(document.body, { key: 'u' });
  expect(pressed).toEqual(['Delete', 'u']);
});
