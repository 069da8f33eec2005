// @vitest-environment jsdom
import { fireEvent, render } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { SecretControl } from './SecretControl.js';
import type { SettingItem } from './settings-query.js';

const item = {
  key: 'GEMINI_API_KEY',
  label: 'Key',
  description: 'A key.',
  value: 'AI…9x',
  source: 'file',
} as SettingItem;

function Form() {
  const [entered, setEntered] = useState<string | null>(null);
  return <SecretControl item={item} entered={entered} onChange={setEntered} />;
}

it('keeps focus in it, whatever is pressed', () => {
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
