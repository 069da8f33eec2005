// @vitest-environment jsdom
import { cleanup, fireEvent, render, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { toEntered, type Entered } from './entered-settings.js';
import { SettingControl } from './SettingControl.js';
import type { SettingItem } from './settings-query.js';

afterEach(cleanup);

function item(over: Partial<SettingItem>): SettingItem {
  return {
    key: 'LIST',
    label: 'Fallbacks',
    group: 'Observer',
    description: 'A list.',
    kind: 'list',
    choices: ['local', 'claude', 'gemini', 'openrouter'],
    value: [],
    default: [],
    source: 'default',
    isSecret: false,
    isSettable: true,
    needsRestart: false,
    ...over,
  };
}

function open(shown: SettingItem) {
  let value: Entered = toEntered(shown);
  function Form() {
    const [entered, setEntered] = useState(value);
    value = entered;
    return <SettingControl item={shown} value={entered} onChange={setEntered} />;
  }
  const { getByRole, queryByRole } = render(<Form />);
  return {
    value: () => value,
    tick: (name: string) => fireEvent.click(getByRole('checkbox', { name })),
    button: (name: string) => getByRole('button', { name }),
    listed: () => {
      const list = queryByRole('list', { name: 'Order of Fallbacks' });
      return (
        list &&
        within(list)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent)
      );
    },
  };
}

describe('R19: ordered list setting', () => {
  const ordered = item({ isOrdered: true, value: ['gemini', 'local'] });

  it('appends a selected item and keeps the order of the others', () => {
    const { value, tick } = open(ordered);
    tick('claude');
    expect(value()).toEqual(['gemini', 'local', 'claude']);
    tick('gemini');
    expect(value()).toEqual(['local', 'claude']);
    tick('gemini');
    expect(value()).toEqual(['local', 'claude', 'gemini']);
  });

  it('moves an item earlier or later and keeps the focus on its button', () => {
    const { value, tick, button, listed } = open(ordered);
    tick('claude');
    expect(listed()).toEqual(['gemini', 'local', 'claude']);
    fireEvent.click(button('Move claude earlier'));
    expect(value()).toEqual(['gemini', 'claude', 'local']);
    expect(document.activeElement).toBe(button('Move claude earlier'));
    fireEvent.click(button('Move claude earlier'));
    expect(listed()).toEqual(['claude', 'gemini', 'local']);
    fireEvent.click(button('Move claude earlier'));
    expect(value()).toEqual(['claude', 'gemini', 'local']);
    fireEvent.click(button('Move claude later'));
    expect(value()).toEqual(['gemini', 'claude', 'local']);
    expect(document.activeElement).toBe(button('Move claude later'));
  });

  it('shows no order when fewer than two items are chosen', () => {
    const { tick, listed } = open(ordered);
    tick('local');
    expect(listed()).toBeNull();
  });

  it('disables the buttons when the environment sets the list', () => {
    const { button } = open({ ...ordered, source: 'env' });
    expect(button('Move local earlier')).toHaveProperty('disabled', true);
  });
});

it('stores an unordered list setting in the order of its choices', () => {
  const { value, tick, listed } = open(item({ value: ['gemini'] }));
  tick('local');
  expect(value()).toEqual(['local', 'gemini']);
  expect(listed()).toBeNull();
});
