package dev.peregrine.http.route;

import dev.peregrine.http.path.PathTemplate;

/**
 * The handlers of a template.
 *
 * @param template names the parameters
 * @param methods the handlers by method
 */
record Route(PathTemplate template, MethodTable methods) {}
