import type { HealthDetail } from '@claude-mem/worker-protocol';
import { Link } from '@tanstack/react-router';
import { CirclePause } from 'lucide-react';
import { Ago } from '../../ui/Ago.js';
import { Moment } from '../../ui/Moment.js';
import { observerPauseOf } from './format-queue.js';

/** Shows why and until when events are paused, and links to the settings. */
export function PauseNotice({ health }: { health: HealthDetail }) {
  const pause = observerPauseOf(health);
  if (pause === null) return null;
  return (
    <div className="notice" role="status">
      <CirclePause aria-hidden size={18} />
      <div>
        <p>
          <strong>
            {pause.isAll ? (
              <>
                Events are paused{' '}
                {pause.untilEpoch === null ? (
                  'for now'
                ) : (
                  <>
                    until <Moment epoch={pause.untilEpoch} hasDay={!isToday(pause.untilEpoch)} /> (
                    <Ago epoch={pause.untilEpoch} />)
                  </>
                )}
              </>
            ) : (
              'Some events are paused'
            )}
          </strong>
        </p>
        <p>{pause.reason} No event is lost.</p>
        <p className="row gap-4">
          {pause.isBudget && <Link to="/usage">Usage of today</Link>}
          <Link to="/settings">{pause.isBudget ? 'Change the budget' : 'Observer settings'}</Link>
        </p>
      </div>
    </div>
  );
}

const isToday = (epoch: number) => new Date(epoch).toDateString() === new Date().toDateString();
