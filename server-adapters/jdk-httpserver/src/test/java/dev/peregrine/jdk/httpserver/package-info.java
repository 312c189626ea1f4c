/** The provider of the JDK's HTTP server API, tested over loopback. */
@NullMarked
package dev.peregrine.jdk.httpserver;

import org.jspecify.annotations.NullMarked;
