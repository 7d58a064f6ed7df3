import { Component, type ReactNode } from 'react'

interface PageBoundaryProps {
  /** Another page gets another chance. */
  location: string
  children: ReactNode
}

interface State {
  location: string
  hasFailed: boolean
}

/** Stands in for a page that fails, such as one whose script cannot be loaded, so that the window is never blank. */
export class PageBoundary extends Component<PageBoundaryProps, State> {
  override state: State = { location: this.props.location, hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps(props: PageBoundaryProps, state: State) {
    return props.location === state.location ? null : { location: props.location, hasFailed: false }
  }

  override componentDidMount() {
    addEventListener('online', this.recover)
  }

  override componentWillUnmount() {
    removeEventListener('online', this.recover)
  }

  /** Browsers remember that a script could not be loaded, so only a new page helps. */
  recover = () => {
    if (this.state.hasFailed) location.reload()
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div role="alert" className="card mx-auto my-10 max-w-[480px] p-6">
        <h1 className="text-lg font-semibold">This page could not be loaded.</h1>
        <p className="mt-1 text-sm text-fg-2">Check your connection, then reload the page.</p>
        <button type="button" className="btn btn-primary mt-4" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    )
  }
}
