/** How long a screen waits for its reads before a payment. After that it names what it could not read. */
export const READ_PATIENCE_MS = 8_000
