import type { Observation } from '@claude-mem/core';
import { Pencil, Pin, PinOff, Replace, Trash2, type LucideIcon } from 'lucide-react';
import { Button } from '../ui/Button.js';
import { keepFocusNear } from './keep-focus-near.js';
import { recordActions } from './record-actions.js';
import styles from './RecordActions.module.css';

/** The actions of an observation. `variant`: `icons` in lists, `words` on the page of the observation. */
export function RecordActions({
  observation,
  variant = 'icons',
}: {
  observation: Observation;
  variant?: 'icons' | 'words';
}) {
  const { id, pinned } = observation;
  const actions: { word: string; icon: LucideIcon; run: (button: Element) => void }[] = [
    {
      word: pinned ? 'Unpin' : 'Pin',
      icon: pinned ? PinOff : Pin,
      run: () => void recordActions.setPinned(observation, !pinned),
    },
    { word: 'Edit', icon: Pencil, run: () => recordActions.edit(observation) },
    { word: 'Supersede', icon: Replace, run: () => recordActions.supersede(observation) },
    {
      word: 'Forget',
      icon: Trash2,
      run(button) {
        const restoreFocus = keepFocusNear(button);
        void recordActions.forget([observation]).then(restoreFocus);
      },
    },
  ];
  return (
    <div
      className={variant === 'icons' ? `row gap-0 nowrap ${styles['actions']}` : 'row'}
      role="group"
      aria-label={`Actions for #${id}`}
    >
      {actions.map(({ word, icon: Icon, run }) => (
        <Button
          key={word === 'Unpin' ? 'Pin' : word}
          variant={variant === 'icons' ? 'quiet' : 'plain'}
          isIcon={variant === 'icons'}
          onClick={({ currentTarget }) => run(currentTarget)}
          {...(variant === 'icons' ? { 'aria-label': `${word} #${id}`, title: word } : {})}
        >
          <Icon aria-hidden size={15} />
          {variant === 'words' && word}
        </Button>
      ))}
    </div>
  );
}
