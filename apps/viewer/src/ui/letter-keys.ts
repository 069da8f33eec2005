const KEY = 'claude-mem.letter-keys';

/** False where a person switched off the keys that are one letter or sign, which speech input presses by mistake. */
export const areLetterKeysOn = () => localStorage.getItem(KEY) !== 'off';

export const switchLetterKeys = (isOn: boolean) => localStorage.setItem(KEY, isOn ? 'on' : 'off');
