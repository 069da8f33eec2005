import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { worker } from '../api/worker.js';
import { counted } from '../format/counted.js';
import { notices } from '../ui/notices.js';
import { useCommandText } from '../ui/use-command-text.js';
import { NO_REJECTION, parseRejection, type Rejection } from './parse-rejection.js';
import { useFocusOnChanged } from './use-focus-on-changed.js';

/**
 * Saves changed settings together. If a value is invalid, focuses its control.
 * @param showAll makes all controls visible before one is focused
 * @param note shown after saving settings that need no restart
 */
export function useSaveSettings({
  changes,
  problems,
  onSaved,
  showAll,
  note,
}: {
  changes: Record<string, unknown>;
  problems: Readonly<Record<string, string>>;
  onSaved: () => void;
  showAll?: () => void;
  note?: string;
}): {
  form: RefObject<HTMLFormElement | null>;
  /** Number of changes to save. */
  count: number;
  /** Whether the form contains unsaved input, valid or not. */
  isTouched: boolean;
  isSaving: boolean;
  rejection: Rejection;
  clearRejection(): void;
  save(): Promise<void>;
} {
  const client = useQueryClient();
  const restart = useCommandText('restart');
  const form = useRef<HTMLFormElement>(null);
  const [rejection, setRejection] = useState(NO_REJECTION);
  const [isSaving, setSaving] = useState(false);
  const count = Object.keys(changes).length;
  useFocusOnChanged(form, Object.keys({ ...changes, ...problems }));

  const goTo = (key: string) => {
    flushSync(() => showAll?.());
    form.current?.querySelector<HTMLElement>(`[data-setting="${key}"]`)?.focus();
  };
  const save = async () => {
    const [invalidKey] = Object.keys(problems);
    if (invalidKey !== undefined) return goTo(invalidKey);
    setSaving(true);
    try {
      const { needsRestart } = await worker.changeSettings({ body: changes });
      await client.invalidateQueries({ queryKey: ['getSettings'] });
      onSaved();
      setRejection(NO_REJECTION);
      void client.invalidateQueries({ predicate: ({ queryKey: [route] }) => route !== 'getSettings' });
      const description = needsRestart ? `Run ${restart} to apply the change.` : note;
      notices.add({
        title: `${counted(count, 'setting')} saved`,
        ...(description !== undefined && { description }),
        ...(needsRestart && { timeout: 20_000 }),
      });
    } catch (error) {
      const found = parseRejection(error);
      setRejection(found);
      const [first] = Object.keys(found.problems);
      if (first !== undefined) goTo(first);
    } finally {
      setSaving(false);
    }
  };
  return {
    form,
    count,
    isTouched: count > 0 || Object.keys(problems).length > 0,
    isSaving,
    rejection,
    clearRejection: () => setRejection(NO_REJECTION),
    save,
  };
}
