/**
 * How long a form waits for the data that it needs before a payment or a transfer out. After that it names what it
 * could not read.
 */
export const READ_TIMEOUT_MS = 8_000
