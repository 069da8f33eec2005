import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/Button.js';
import { chooseTheme, readTheme, THEMES } from './theme.js';

const ICONS = { system: Monitor, light: Sun, dark: Moon };

/** A button that switches between the theme of the system, light and dark. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const Icon = ICONS[theme];
  return (
    <Button
      variant="quiet"
      isIcon
      aria-label={`Colours: ${theme}. Change to ${next}`}
      title={`Colours: ${theme}`}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    >
      <Icon aria-hidden size={16} />
    </Button>
  );
}
