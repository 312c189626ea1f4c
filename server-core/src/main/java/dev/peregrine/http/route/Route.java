package dev.peregrine.http.route;

import dev.peregrine.http.path.PathTemplate;

/**
 * What a path leads to.
 *
 * @param template what its parameters are read by
 * @param methods what answers there
 */
record Route(PathTemplate template, MethodTable methods) {}
