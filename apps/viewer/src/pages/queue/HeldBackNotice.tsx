import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CirclePause } from 'lucide-react';
import { Ago } from '../../ui/Ago.js';
import { Moment } from '../../ui/Moment.js';
import { heldBackOf } from './queue-words.js';
import styles from './QueuePage.module.css';

/** Shows why events are paused, until when, and links to the settings. */
export function HeldBackNotice({ health }: { health: HealthDetail }) {
  const held = heldBackOf(health);
  if (held === null) return null;
  return (
    <div className={styles['held']} role="status">
      <CirclePause aria-hidden size={18} />
      <div>
        <p>
          <strong>
            {held.isAll ? (
              <>
                Events are paused{' '}
                {held.untilEpoch === null ? (
                  'for now'
                ) : (
                  <>
                    until <Moment epoch={held.untilEpoch} hasDay={!isToday(held.untilEpoch)} /> (
                    <Ago epoch={held.untilEpoch} />)
                  </>
                )}
              </>
            ) : (
              'Some events are paused'
            )}
          </strong>
        </p>
        <p>{held.reason} No event is lost.</p>
        <p className={styles['links']}>
          {held.isBudget && <Link to="/usage">Usage of today</Link>}
          <Link to="/settings">{held.isBudget ? 'Change the budget' : 'Observer settings'}</Link>
        </p>
      </div>
    </div>
  );
}

const isToday = (epoch: number) => new Date(epoch).toDateString() === new Date().toDateString();
