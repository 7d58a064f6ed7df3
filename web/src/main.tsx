import './styles/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { noteSignIn } from './session.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no #root')
noteSignIn()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
