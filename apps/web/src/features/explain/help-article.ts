/** The help article about the first steps, the coins and the words of the app. */
export const HOW_TO_BEGIN = '/setting/help?article=how-to-begin'
