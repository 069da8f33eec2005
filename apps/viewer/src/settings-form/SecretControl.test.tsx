// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { SecretControl } from './SecretControl.js';
import type { SettingItem } from './settings-query.js';

afterEach(cleanup);

const item = {
  key: 'GEMINI_API_KEY',
  label: 'Key',
  description: 'A key.',
  value: 'AI…9x',
  source: 'file',
} as SettingItem;

function Form() {
  const [entered, setEntered] = useState<string | null>(null);
  return (
    <>
      <SecretControl item={item} entered={entered} onChange={setEntered} />
      <button onClick={() => setEntered(null)}>Save</button>
    </>
  );
}

it('moves the focus within the secret field when one of its buttons is pressed', () => {
  const { getByRole, getByLabelText } = render(<Form />);
  const press = (name: string) => {
    const button = getByRole('button', { name });
    button.focus();
    fireEvent.click(button);
  };
  press('Replace Key');
  expect(document.activeElement).toBe(getByLabelText('Key'));
  press('Keep what is stored');
  expect(document.activeElement).toBe(getByRole('button', { name: 'Replace Key' }));
  press('Remove Key');
  expect(document.activeElement).toBe(getByRole('button', { name: 'Keep what is stored' }));
});

it('keeps the secret field open while the user types or clears it, and closes it after saving', () => {
  const { getByRole, getByLabelText, queryByLabelText } = render(<Form />);
  fireEvent.click(getByRole('button', { name: 'Replace Key' }));
  const type = (value: string) => fireEvent.change(getByLabelText('Key'), { target: { value } });
  type('one');
  type('');
  type('two');
  fireEvent.click(getByRole('button', { name: 'Save' }));
  expect(queryByLabelText('Key')).toBeNull();
  getByRole('button', { name: 'Replace Key' });
});
