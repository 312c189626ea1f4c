/** Programs that use {@code com.sun.net.httpserver}, run on Peregrine. */
@NullMarked
package dev.peregrine.jdk.httpserver.users;

import org.jspecify.annotations.NullMarked;
