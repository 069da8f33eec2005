import type { ComponentProps, MouseEvent } from 'react';
import styles from './Button.module.css';

type Props = ComponentProps<'button'> & {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** A square with one icon; give it an `aria-label`. */
  isIcon?: boolean;
  /** Keeps the focus where it is while it is disabled, for what is disabled only while something is done. */
  focusableWhenDisabled?: boolean;
};

export function Button({
  look = 'plain',
  isIcon = false,
  className,
  disabled = false,
  focusableWhenDisabled = false,
  type = 'button',
  onClick,
  ...props
}: Props) {
  const names = [styles['button'], styles[look], isIcon ? styles['icon'] : '', className ?? ''];
  const isInert = disabled && focusableWhenDisabled;
  return (
    <button
      {...props}
      {...(isInert ? { 'aria-disabled': true } : { disabled })}
      {...(disabled ? { 'data-disabled': '' } : {})}
      type={type}
      className={names.filter(Boolean).join(' ')}
      onClick={isInert ? doNothing : onClick}
    />
  );
}

/** Nor send the form that it is in. */
function doNothing(event: MouseEvent): void {
  event.preventDefault();
}
