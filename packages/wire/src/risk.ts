/**
 * The version of what the app tells a member about the risks. Whoever changes what is said there, in any language, raises it,
 * and every member is asked anew.
 */
export const RISK_VERSION = 1
