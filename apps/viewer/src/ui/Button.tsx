import type { ComponentProps, MouseEvent } from 'react';
import styles from './Button.module.css';

type Props = ComponentProps<'button'> & {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Square button with an icon. Requires an `aria-label`. */
  isIcon?: boolean;
  /** Keeps the focus while the button is disabled, for buttons that are disabled only during an action. */
  focusableWhenDisabled?: boolean;
};

export function Button({
  variant = 'plain',
  isIcon = false,
  className,
  disabled = false,
  focusableWhenDisabled = false,
  type = 'button',
  onClick,
  ...props
}: Props) {
  const names = [styles['button'], styles[variant], isIcon ? styles['icon'] : '', className ?? ''];
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

/** A disabled submit button that keeps its focus must not submit the form. */
function doNothing(event: MouseEvent): void {
  event.preventDefault();
}
