/** Names of procedures that Office calls without a click. */

const OPENING =
  /^(?:auto_?(?:open|close|exec|exit|new|activate|deactivate|add|remove|nextslide|print|showbegin|showend)|app_(?:newworkbook|workbookopen)|application_(?:itemsend|mapilogoncomplete|newmail|newmailex|quit|reminder|startup)|document_(?:beforeclose|beforedocumentclose|buildingblockinsert|close|contentcontrolonenter|contentcontrolonexit|documentcreated|documentopened|new|open|runmodeentered|sync|xmlafterinsert)|document(?:beforeclose|beforeprint|beforesave|change|open)|file(?:close|exit|new|open|print|printdefault|save|saveas|templates)|form_(?:load|open)|helpabout|newdocument|onloadribbon|ribbononload|onslideshow(?:pagechange|terminate)|presentation_?open|project_(?:activate|calculate|open)|report_open|slideshow(?:begin|nextslide)|thisdocument_documentopened|tools(?:macro|options)|viewvbcode|workbook_\w+|worksheet_\w+|chart_(?:activate|calculate)|__auto_\w+)$/

/** Events of controls and of application objects that happen when a document opens or the mouse moves. */
const EVENTS =
  /_(?:beforenavigate2|beforescriptexecute|change|contentcontrolonenter|documentcomplete|documentopen|downloadbegin|downloadcomplete|filedownload|gotfocus|layout|lostfocus|mouseenter|mousehover|mouseleave|mousemove|navigatecomplete2|navigateerror|onconnecting|ondisconnected|painted|painting|presentationopen|progresschange|propertychange|resize|setsecurelockicon|statustextchange|titlechange|workbookopen)$/

/** The user writes, chooses, prints, saves or double-clicks something first. */
const USING =
  /_(?:sheet)?(?:before)?(?:change|doubleclick|rightclick|followhyperlink|selectionchange|print|save|aftersave|newsheet|contentcontrolonenter|contentcontrolonexit|buildingblockinsert|xmlafterinsert|itemsend|pivottable[a-z]+|tableupdate)$|^document(?:beforeprint|beforesave|change)$|^file(?:print|printdefault|save|saveas|templates)$|^auto_?print$|^helpabout$|^tools(?:macro|options)$|^viewvbcode$/

/** The name in lower case. */
export function isAutomatic(name: string): boolean {
  return OPENING.test(name) || EVENTS.test(name)
}

export function needsUser(name: string): boolean {
  return USING.test(name)
}

/** Word runs `Main` of a module with such a name. */
export function isAutomaticModule(name: string): boolean {
  return /^auto(?:open|exec|new|close|exit)$/i.test(name)
}

/** Events of a class or form that need no more than its existence, and of the control that receives the focus first. */
export function isObjectEvent(name: string): boolean {
  return /^(?:class_(?:initialize|terminate)|userform_(?:initialize|activate|layout|resize|queryclose|terminate)|.+_enter)$/.test(
    name,
  )
}
