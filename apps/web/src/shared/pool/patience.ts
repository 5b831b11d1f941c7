/** How long a screen waits for what it reads before a payment. After that it says what it could not read. */
export const READ_PATIENCE_MS = 8_000
