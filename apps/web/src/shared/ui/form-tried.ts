import { createContext, useContext } from 'react'

/** True after the member pressed the button of a form that is not complete, until the next complete press. */
export const FormTried = createContext(false)

/** Whether a field of the form should say that it is empty. */
export const useIsFormTried = (): boolean => useContext(FormTried)
