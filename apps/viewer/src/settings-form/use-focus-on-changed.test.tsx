// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { useRef, useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useFocusOnChanged } from './use-focus-on-changed.js';

afterEach(cleanup);

function Form() {
  const form = useRef<HTMLFormElement>(null);
  const [isChanged, setChanged] = useState(false);
  const [isHidden, setHidden] = useState(false);
  useFocusOnChanged(form, isChanged ? ['SIZE'] : []);
  return (
    <form ref={form} onSubmit={(event) => event.preventDefault()}>
      <input aria-label="Find" onChange={() => setHidden(true)} />
      {!isHidden && <input aria-label="Size" data-setting="SIZE" onChange={() => setChanged(true)} />}
      {isChanged && (
        <button type="button" onClick={() => setChanged(false)}>
          Save
        </button>
      )}
    </form>
  );
}

function openForm() {
  const { getByLabelText, getByRole } = render(<Form />);
  const enter = (label: string) => fireEvent.change(getByLabelText(label), { target: { value: '1' } });
  const save = () => getByRole('button', { name: 'Save' });
  return { getByLabelText, enter, save };
}

it('moves the focus to the changed field when the focused save button disappears', () => {
  const { getByLabelText, enter, save } = openForm();
  enter('Size');
  save().focus();
  fireEvent.click(save());
  expect(document.activeElement).toBe(getByLabelText('Size'));
});

it('moves the focus to the first field when the save button disappears and the changed field is hidden', () => {
  const { getByLabelText, enter, save } = openForm();
  enter('Size');
  enter('Find');
  save().focus();
  fireEvent.click(save());
  expect(document.activeElement).toBe(getByLabelText('Find'));
});

it('keeps the focus in a field when the save button disappears', () => {
  const { getByLabelText, enter, save } = openForm();
  enter('Size');
  getByLabelText('Find').focus();
  fireEvent.click(save());
  expect(document.activeElement).toBe(getByLabelText('Find'));
});
