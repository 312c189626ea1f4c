/**
 * The paths of requests and routes in the form that routing uses; users see {@code PathSegments}.
 */
@NullMarked
package dev.peregrine.http.path;

import org.jspecify.annotations.NullMarked;
