/** A provider of the JDK's HTTP server API. */
@NullMarked
package dev.peregrine.jdk.httpserver;

import org.jspecify.annotations.NullMarked;
