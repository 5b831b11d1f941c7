/** Keys of the browser's storage that begin so hold payments. Whether there are any is known before their code is loaded. */
export const PAYMENT_KEYS = 'payment.'
