import { expect, it } from 'vitest';
import { isOwnNetwork, readChatAddress } from './chat-address.js';

it.each([
  ['localhost:11434', 'http://localhost:11434/v1'],
  [' http://127.0.0.1:1234/v1/ ', 'http://127.0.0.1:1234/v1'],
  ['api.openai.com', 'https://api.openai.com/v1'],
  ['https://api.openai.com', 'https://api.openai.com/v1'],
  ['https://host/api/v3/', 'https://host/api/v3'],
  ['https://host/v1/chat/completions', 'https://host/v1'],
  ['', null],
  ['ftp://host', null],
  ['http://', null],
  ['me:word@host', null],
])('reads %j as %j', (written, address) => expect(readChatAddress(written)).toBe(address));

it.each([
  'http://localhost:11434/v1',
  'http://127.0.0.1/v1',
  'http://ollama:11434/v1',
  'http://192.168.1.20/v1',
  'http://172.16.0.1/v1',
  'http://nas.local/v1',
  'http://[::1]:8000/v1',
  'http://[fd00::1]/v1',
])('recognizes %s as an address of the local network', (address) => expect(isOwnNetwork(address)).toBe(true));

it.each([
  'https://api.openai.com/v1',
  'http://172.32.0.1/v1',
  'http://10.example.com/v1',
  'http://127.0.0.1.example.com/v1',
  'http://[2001:db8::1]/v1',
])('does not recognize %s as an address of the local network', (address) =>
  expect(isOwnNetwork(address)).toBe(false),
);
