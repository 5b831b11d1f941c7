/**
 * Storage keys with this prefix hold payments. The app can see that there are some before it loads the payment code.
 */
export const PAYMENT_KEY_PREFIX = 'payment.'
